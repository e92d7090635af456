"""Python as JavaScript: what a game's scene and notation say, run by a browser from the same text.

Rules that must be quick are compiled to WebAssembly (see `core.wasm`). What one sees and reads is made of names, phrases and sentences, a few thousand
steps a position: it is translated line by line (`translate`), with the values it reads (`values`), for a small runtime that knows Python's whole
numbers, sequences and texts (`web/src/engine/python.ts`). What the translation does not know is refused by name, with its line, when it is made.
"""
