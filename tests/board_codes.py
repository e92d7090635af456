"""A board of Kulami, and how other programs write it."""

B = "aabccddd../aabcceff../ghhcceff../ghhiiijj../gkkiiijj../lkkmmnno../lkkmmnno../lppmmqqo../........../.........."


def code(tiles):
    """The board code of other programs."""
    letters, sizes = {}, {6: iter("bcde"), 4: iter("fghij"), 3: iter("klmn"), 2: iter("opqr")}
    for letter in dict.fromkeys(tiles.replace(".", "").replace("/", "")):
        letters[letter] = next(sizes[tiles.count(letter)])
    return "".join(letters.get(sign, "a") + "0" for sign in tiles.replace("/", ""))
