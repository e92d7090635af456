"""Puoribor: Quoridor whose board can be turned."""
