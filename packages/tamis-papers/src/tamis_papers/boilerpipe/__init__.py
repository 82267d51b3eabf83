"""Boilerplate Detection using Shallow Text Features (Kohlschütter, Fankhauser, Nejdl; WSDM 2010)."""
