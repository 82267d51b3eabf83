"""The most common English function words, for the share of stop words of Web2Text (Table 1)."""

from __future__ import annotations

STOPWORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each either else ever few for from further had has have having
    he her here hers herself him himself his how however i if in into is it its itself just least less like may me might
    more most much must my myself neither no nor not now of off often on once only or other ought our ours out over
    own per perhaps quite rather same shall she should since so some still such than that the their theirs them
    themselves then there these they this those though through thus to too under until up upon us very was we well
    were what when where whether which while who whom whose why will with within without would yet you your yours
    """.split()
)
