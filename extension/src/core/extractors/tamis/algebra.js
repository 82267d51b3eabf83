// The operations of the network. Each writes into an array that the caller gives.

// Added to a variance before its root is taken; the default of PyTorch, which training uses.
const EPSILON = 1e-5;

/**
 * Add a product of matrices: `into` (rows, outputs) += `values` (rows, inputs) @ `weights`, transposed.
 *
 * Two rows and four outputs at a time: each number that is read is used two or four times, which is three times as fast
 * as a plain loop. Where fewer are left, the last is computed more than once. All arrays have one type, also for speed.
 *
 * @param {Float64Array} into
 * @param {Float64Array} values
 * @param {number} from where the first row of `values` begins
 * @param {number} rows
 * @param {Float64Array} weights (outputs, inputs)
 * @param {number} outputs
 */
export function addProduct(into, values, from, rows, weights, outputs) {
  const inputs = weights.length / outputs;
  for (let row = 0; row < rows; row += 2) {
    const next = Math.min(row + 1, rows - 1);
    const x = from + row * inputs;
    const y = from + next * inputs;
    for (let a = 0; a < outputs; a += 4) {
      const b = Math.min(a + 1, outputs - 1);
      const c = Math.min(a + 2, outputs - 1);
      const d = Math.min(a + 3, outputs - 1);
      let xa = into[row * outputs + a];
      let xb = into[row * outputs + b];
      let xc = into[row * outputs + c];
      let xd = into[row * outputs + d];
      let ya = into[next * outputs + a];
      let yb = into[next * outputs + b];
      let yc = into[next * outputs + c];
      let yd = into[next * outputs + d];
      for (let input = 0; input < inputs; input++) {
        const valueX = values[x + input];
        const valueY = values[y + input];
        const toA = weights[a * inputs + input];
        const toB = weights[b * inputs + input];
        const toC = weights[c * inputs + input];
        const toD = weights[d * inputs + input];
        xa += valueX * toA;
        xb += valueX * toB;
        xc += valueX * toC;
        xd += valueX * toD;
        ya += valueY * toA;
        yb += valueY * toB;
        yc += valueY * toC;
        yd += valueY * toD;
      }
      into[row * outputs + a] = xa;
      into[row * outputs + b] = xb;
      into[row * outputs + c] = xc;
      into[row * outputs + d] = xd;
      into[next * outputs + a] = ya;
      into[next * outputs + b] = yb;
      into[next * outputs + c] = yc;
      into[next * outputs + d] = yd;
    }
  }
}

/**
 * Layer normalisation: bring the vector at `from` to mean 0 and deviation 1, apply `scale` and `shift`, and write it
 * into `into` at `at`.
 *
 * @param {ArrayLike<number>} vectors
 * @param {number} from
 * @param {Float64Array} scale
 * @param {Float64Array} shift
 * @param {Float64Array} into
 * @param {number} at
 */
export function layerNorm(vectors, from, scale, shift, into, at) {
  const width = scale.length;
  let sum = 0;
  for (let place = 0; place < width; place++) sum += vectors[from + place];
  const mean = sum / width;
  let squares = 0;
  for (let place = 0; place < width; place++) squares += (vectors[from + place] - mean) ** 2;
  const deviation = Math.sqrt(squares / width + EPSILON);
  for (let place = 0; place < width; place++) {
    into[at + place] = ((vectors[from + place] - mean) / deviation) * scale[place] + shift[place];
  }
}

/**
 * The mean of all vectors (rows, width), followed by their maximum.
 *
 * @param {Float32Array} vectors
 * @param {number} width
 */
export function pooled(vectors, width) {
  const size = vectors.length / width;
  const summary = new Float64Array(2 * width);
  for (let place = 0; place < width; place++) {
    let sum = 0;
    let most = -Infinity;
    for (let at = place; at < vectors.length; at += width) {
      sum += vectors[at];
      if (vectors[at] > most) most = vectors[at];
    }
    summary[place] = sum / size;
    summary[width + place] = most;
  }
  return summary;
}

/**
 * Write `vector` into the first `rows` rows of `into`.
 *
 * @param {Float64Array} vector
 * @param {number} rows
 * @param {Float64Array} into
 */
export function repeat(vector, rows, into) {
  for (let row = 0; row < rows; row++) into.set(vector, row * vector.length);
}

/**
 * The rectifier: write the larger of 0 and each value into `into`.
 *
 * @param {Float64Array} values
 * @param {Float64Array} into
 */
export function relu(values, into) {
  for (let at = 0; at < values.length; at++) into[at] = values[at] > 0 ? values[at] : 0;
}
