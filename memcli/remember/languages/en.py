"""English. Phrases from the agents' own manuals ("remember", "note that", "from now on") and from what people type to them.

In 1,803 typed messages of real sessions "always" stands 21 times, "remember" 5, "prefer" 4 and "don't" 77: a word alone
proves little, so most patterns want their place in the clause.
"""

from memcli.remember.languages import Patterns

# A verb in a form that gives no order: "always fails", "never worked", "always running out".
_TOLD = r"(?!(?:need|feed|seed|embed|speed|proceed|exceed|bring|ping|string|focus|alias|bias)\b)\w+(?:ed|ing|[^s\W]s)\b"
_ADVERBS = r"(?:'ve| have| had| just| finally| now| already| also| all| successfully| officially)*"
_IS = r"(?: is| was|'s| are| were| has been| have been| got| went)"
_SOON = r"(?: now| finally| just| all| fully| officially| already| successfully)*"
_OUT = r"out(?! of\b)"
_THESE = r"(?!(?:the (?:other|new|same|first|second|last|old|one)|this|that|these|those|it|one|another)\b)"

PATTERNS = Patterns(
    openers=(
        r"(?:please|pls|plz|kindly|and|but|so|also|then|ok|okay|well|yes|yeah|no|nope|hey|hi|just|btw|oh|now|however|plus"
        r"|(?:you|we|i|let's|agents?) (?:should|must|need to|have to|want to|ought to)|(?:can|could|would|will) you"
        r"|(?:make|be) sure (?:to|you|that you)|(?:want|need|like|ask|asking) you to|try to|let's"
        r"|it(?:'s| is) (?:important|good) to),?\s+"
    ),
    explicit=(
        r"^remember\b(?!\s+(?:when|how (?:we|i|you|they|it)\b|th(?:e|at) time (?:when|we|i|you|that)|back when|last|yesterday"
        r"|me\b|us\b|who\b|why\b|what (?:i|we|you)\b))",
        r"^(?:do not|don't|dont|never|not) forget\b",
        r"^note(?: down)?(?: that\b|\s*:)",
        r"^(?:take|make) (?:a )?note(?: that| of|\s*:)",
        r"^(?:keep|bear)(?: this| that| it)? in mind\b",
        r"^for (?:the record|future reference|later reference)\b",
        r"^(?:save|add|commit|write|put) (?:this|that|it|the following) (?:to|in|into) (?:your |the |long-term ){0,2}memory\b",
        r"^(?:save|store) (?:this|that)(?=\s*[:,—–-])",
        r"^save that(?= (?:the|our|my|we|i|all|every|each|it)\b)",
        r"^(?:write|jot|note) (?:this|that|it) down\b",
        r"^memori[sz]e\b",
    ),
    rule=(
        r"\bfrom (?:now|here|today|this (?:point|day)) (?:on|onwards?|forward)\b",
        r"^(?:starting|effective|beginning) (?:now|today|immediately)\b",
        r"^going forward\b(?! with)",
        r"^henceforth\b",
        r"^in (?:the )?future(?=,? (?:please|always|never|don't|do not|use|run|avoid|ask|write)\b)",
        r"^always\b(?=\s+[a-z])(?!\s+(?:nice|good|great|fun|happy|glad|open|here|there|so|up|a|an|the|on|in|at|true|false|like|been"
        r"|had|was|is)\b)"
        rf"(?!\s+{_TOLD})",
        r"^never\b(?=\s+[a-z])(?!\s+(?:mind|had|seen|been|heard|again|thought|ever|the|a|an|in|at|did|knew|got|found|said|saw"
        r"|was|is|works|forget)\b)(?!\s+" + _TOLD + ")",
        r"^(?:do not|don't) ever\b(?=\s+\w)",
        r"\bas a (?:general |strict |hard )?rule\b(?! of\b)",
        r"\b(?:our|my|new|house|hard) rule(?: is\b|\s*:)",
        r"\bmust (?:never|always)\b(?! (?:happen|occur|be true)\b)",
    ),
    milestone=(
        r"\b(?:we|i|they|the team)" + _ADVERBS + r" (?:shipped|launched|deployed|rolled out|went live|tagged(?= v?\d)"
        r"|released(?! (?:(?:the|a|all|its|that) )?(?:\w+ )?(?:locks?|memory|mutex|connections?|handles?|buffers?|keys?)\b)"
        r"|merged(?= (?:(?:the|my|your|our|this|that|both|all) )?(?:[\w./#-]+ ){0,2}(?:prs?|mrs?|pull requests?|branch(?:es)?"
        r"|(?:in)?to (?:main|master|trunk))\b| #\d)"
        r"|(?:finished|completed|wrapped up)(?! (?:with|in|at|by|reading|reviewing|running|looking|watching|eating|lunch)\b))",
        r"\A(?:just |finally |now |successfully )?(?:shipped|launched|released|merged|deployed|finished|completed)\b"
        r"(?! (?:with|in|at|by|cells?|goods|copy|memory|locks?|lists?|dicts?|rows?)\b)",
        r"\b(?:v?\d+\.\d[\w.-]{0,20}|v\d+|(?:version|release) \d[\w.]{0,20})" + _IS + "?" + _SOON
        + r" (?:live|released|shipped|published|deployed|merged|tagged|" + _OUT + r")\b",
        r"\b(?:pr|mr|pull request|merge request|branch|feature)(?: #?\d+)?(?: [\w./-]{1,30}){0,3}" + _IS + _SOON
        + r" (?:merged|shipped|released|in main|landed)\b",
        r"\b(?:migration|release|rollout|refactor(?:ing)?|rewrite|upgrade|project|phase|sprint|milestone|launch|redesign"
        r"|integration|cutover|deployment|mvp|beta)(?: [\w.-]{1,30}){0,3}" + _IS + _SOON
        + r" (?:done|complete|completed|finished|shipped|live|released|merged|deployed|" + _OUT + r")\b",
        r"\b(?:is (?:now|finally) live|went live)\b",
    ),
    lesson=(
        r"\b(?:the|root|real|actual|underlying|true|main|its) cause (?:was|is|turned out)\b"
        r"(?! (?:unknown|unclear|not|still|being|yet|what|unlikely)\b)",
        r"\broot cause\s*[:=]",
        r"\b(?<!way )turn(?:s|ed) out\b(?=[,:]? [\w\ufffc])(?! (?:to be )?(?:fine|ok|well|nice|great|good)\b)",
        r"\blessons?(?: learn(?:ed|t))?(?: here| today)?(?:\s*[:—–]| - | (?:is|was)\b(?! (?:on|in|at|cancel|over|about|sched)))",
        r"\blearn(?:ed|t) (?:that|the hard way|today|my lesson)\b",
        r"\b(?:fix|fixed|solved|resolved)(?: it| this| that| them)? by (?!(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
        r"|tomorrow|tonight|then|next|end|eod|the|someone|him|her|them|us|me|you|now|noon|today)\b|\d)(?=[\w\ufffc])",
        r"\b(?:was|were|is|are|been) caused by\b",
        r"\bthe (?:real |actual |only )?(?:problem|issue|bug|culprit|trick|mistake|fix|solution|workaround) (?:was|turned out)\b"
        r"(?! (?:not|still|fixed|gone|back|resolved|closed|solved|ready|done|merged|with|on|at|assigned|reported|raised|moved"
        r"|opened|reopened|reviewed|deployed|due|there|here|easy|hard|known)\b)",
        r"\bthe (?:culprit|trick|gotcha|workaround) is\b",
        r"\b(?:gotcha|pitfall|caveat)\s*[:—–]",
        r"\bnote to self\b",
        r"\bi(?:'ve| have)? (?:finally )?(?:reali[sz]ed|figured out|found out|discovered) that\b",
    ),
    preference=(
        r"\b(?:i|we)(?:'d| would)?(?: really| strongly| much| generally| usually| always| do| also| personally)* prefer\b"
        r"(?! not to (?:say|answer))",
        r"\b(?:i|we)(?: really| much)? (?:like|love) [^,.;]{1,60} (?:better|more|best)\b"
        r"(?=\s*(?:[.,;!]|$|than\b|when\b|for\b|in\b))",
        r"\bi (?:really )?(?:don't|do not) like(?= \w)(?! (?:this|that|it|the (?:way|idea|look|sound)|how|when|what|where|to)\b)",
        r"\bi (?:really )?(?:hate|dislike|can't stand)(?= \w)(?! (?:this|that|it|the (?:way|idea)|when|how|to)\b)",
        r"\bi(?:'d| would) rather\b(?! not\b)",
        r"^use (?=[\w\ufffc])" + _THESE + r"[^,.;]{1,60} (?:instead of|rather than|in place of)\b"
        r"(?! (?:this|that|these|those)\b)",
        r"^use (?=[\w\ufffc])" + _THESE + r"[^,.;]{1,40}, not\b",
        r"^(?:don't|do not) use " + _THESE + r"[^,.;]{1,40}[,;:] ?(?:but )?use\b(?! (?:the (?:other|new|same)|this|that)\b)",
        r"^stop (?:using|adding|writing|putting|creating|apologi[sz]ing|summari[sz]ing)\b(?! (?:this|that|it)\b)",
        r"\bmy (?:preferred|favou?rite|go-to|usual|default) [\w-]{1,30}(?: [\w-]{1,30})? (?:is|are)\b",
        r"\bi (?:always|usually|normally|only|exclusively) (?:use|write|want|indent|work)\b",
    ),
    negated=(
        r"\b(?:do not|don't|dont|never|no need to|not need to|needn't|need not|not necessary to|(?:not|n't) have to|n't need to"
        r"|stop|shouldn't|should not|must not|mustn't|not worth) (?:\w{1,12} ){0,2}?(?:remember(?:ing)?|memori[sz](?:e|ing)"
        r"|keep(?: this| that| it)? in mind|(?:write|note|jot)(?: this| that| it)? down"
        r"|(?:save|store|note|add|commit|keep|put|write)(?: any of)?(?: this| that| it)(?: (?:to|in|into) (?:your |the )?memory)?"
        r"(?=\s*(?:[.,:;!]|$)))" "\n"
        r"^forget (?:this|that|it|what i (?:just )?said|everything i (?:just )?said)\b" "\n"
        r"\boff the record\b"
    ),
    whole=r"(?:(?:any of )?(?:this|that|it|these|those|them|anything|what i (?:just )?said)|please|now| )*",
    asked=(
        r"\A(?:(?:and|so|but|hey|ok|hi),? )?(?:(?:do|does|did|is|are|was|were|has|have|had|should|shall|may|might|could|can|would"
        r"|will)(?:n't)? (?:i|you|we|it|they|he|she|there|this|that|the|these|those|our|my|your|any|anyone|someone|everyone|pr"
        r"|v?\d)\b|(?:who|why|where|which|whose|how)\b|what(?:'s| is| was| are| were| do| did| does| about| if| happens| kind)\b)"
        r"|\b(?:wonder|wondering|not sure|don't know|no idea) (?:if|whether|what|why|how|when)\b"
    ),
    tag=r"[, ]\s*(?:ok|okay|right|alright|yes|yeah|please|got it|deal|understood|agreed)\s*\?+$",
    request=(
        r"\A(?:[^?]{0,30}[, ])?(?:can|could|would|will|won't) you (?:please |kindly |also |maybe |just |from now on ){0,3}"
        r"(?:always|never|remember(?! (?:when|how|what|who|where|why|which|the|if|whether))|note that|keep in mind|not forget"
        r"|make sure)\b"
    ),
    recalled=(
        r"\b(?:i|we|you|he|she|they|nobody|anyone|everyone)\b[^.,;]{0,25}\b(?:remember(?:s|ed|ing)?|recall|forgot)\b"
        r"|\bremember (?:when|how (?:we|i|you))\b|\btrying to remember\b"
    ),
    unsure=(
        r"\b(?:when|once|until|till|unless|if|whether|before|as soon as|assuming|in case|after (?:the|it|we|you|this|that|pr|your"
        r"|our|i)|not|never|nearly|almost|will|would|should|could|might|may|must|can|cannot|to be|(?:need|needs|have|has|going"
        r"|want|wants|plan|hope) to|gonna|hopefully|expect(?:ed)?|supposed|wish|let me know|tell me|check|ensure|make sure"
        r"|find|find out|figure out|investigate|identify|to know|sure|see|why|what|how|who|nothing|maybe|perhaps"
        r"|probably)\b|n't\b"
    ),
    once=(
        r"\bthis (?:time|once)\b(?! ?zones?)|\b(?:for|in|on|during|with) (?:just )?(?:this|the current|that) (?:one )?(?:pr|mr"
        r"|pull request|commit|branch|session|task|run|ticket|file|change|review|case|sprint|release|fix|function|one|test)\b"
        r"|\bfor (?:now|today|once|the moment|the time being|tonight)\b|\bjust once\b|\bright now\b"
        r"|(?<!from )(?<!starting )\btoday\b"
        r"|\b(?:tonight|tomorrow|this (?:morning|afternoon|evening|week)|temporarily|until (?:friday|monday|tomorrow|then))\b"
    ),
    filler=(
        r"this|that|it|these|those|them|please|pls|ok|okay|thanks|thank|you|now|well|all|to|for|later|me|everything|about|the|of"
        r"|and|too|also|in|mind|down|memory|just|so|then|yes|no|a|an|is|we|i|but|hey"
    ),
)  # fmt: skip
