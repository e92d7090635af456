"""Reverse Drop Chess (贴贴棋): step beside nobody and a new piece buds, step into a crowd and you may change sides."""
