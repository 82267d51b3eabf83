// Writes zip files without times and owners, so the same files give the same bytes. Node has the compression but not
// the file format.

import { deflateRawSync } from "node:zlib";

const TABLE = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const VERSION = 20; // 2.0: folders and deflate
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
const DAY = (1 << 5) | 1; // 1 January 1980, the first day of the format

/**
 * The bytes of a zip file.
 *
 * @param {{name: string, bytes: Buffer}[]} entries files by their path, with slashes
 * @returns {Buffer}
 */
export function zip(entries) {
  const files = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name, "utf8");
    const packed = deflateRawSync(bytes, { level: 9 });
    const facts = Buffer.alloc(26); // the part that both headers share
    facts.writeUInt16LE(VERSION, 0);
    facts.writeUInt16LE(UTF8_NAMES, 2);
    facts.writeUInt16LE(DEFLATE, 4);
    facts.writeUInt16LE(DAY, 8);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14); // comment, disk and attributes are zero
    place.writeUInt32LE(offset, 10);
    const parts = [Buffer.from("PK\x03\x04"), facts, path, packed];
    files.push(...parts);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([VERSION, 0]), facts, place, path);
    offset += parts.reduce((sum, part) => sum + part.length, 0);
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, index, end]);
}
