"""Formulas: TeX to MathML, MathML to TeX, and TeX to a readable line of text."""
