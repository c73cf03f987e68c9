"""Text that gives orders to the reader's model instead of facts to the reader: the known phrases of prompt injection.

A pattern list stops the careless and the copied, not a determined writer; what is stored reaches a prompt as marked data in
any case. A quoted phrase, or one in a code span, is an example and passes. Sources: OWASP's LLM01 examples, the markup of
the common chat templates, and their translations.
"""

from __future__ import annotations

import re
from functools import cache

from memcli.remember.fold import fold
from memcli.remember.quotes import spoken

_OLD = r"(?:previous|prior|above|earlier|preceding|foregoing|all|any|every|your|(?:the )?system|(?:the )?developer)"
_TOLD = r"(?:instructions?|prompts?|directives?|directions|guidelines|rules|commands?|orders|context|training)"

ORDERS = {
    "override": (
        rf"\b(?:ignore|disregard|forget|bypass|do not follow|don't follow|stop following)\s+(?:\w{{1,10}}\s+){{0,3}}?{_OLD}"
        rf"\s+(?:\w{{1,14}}\s+){{0,3}}?{_TOLD}\b",
        r"\b(?:disregard|ignore|bypass) (?:everything|anything|all)(?: \w+){0,2} (?:above|before|you were told|you know)\b",
        r"(?:忽略|无视|忘记|忘掉|不要理会|别理会|抛开|绕过|不要遵守|停止遵守|跳过)(?:掉|了)?(?:你|您)?的?(?:之前|以前|先前|上面|以上|前面|此前"
        r"|所有|全部|一切|任何|系统)[^。\n]{0,10}?(?:指令|指示|提示|命令|规则|设定|要求|约束|限制)",
        r"(?:以前|これまで|上記|前|全て|すべて)の(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて|全て)?無視",
        r"\b(?:игнорируй|забудь)(?:те)?\s+(?:все\s+)?(?:предыдущие|прежние|прошлые)\s+(?:инструкции|указания|команды)",
        r"\bignora (?:todas )?las (?:instrucciones|órdenes) (?:anteriores|previas)\b",
        r"\bignorez? (?:toutes )?les instructions (?:précédentes|antérieures)\b",
        r"\bignoriere? (?:alle )?(?:vorherigen|bisherigen|obigen) (?:Anweisungen|Befehle|Instruktionen)\b",
    ),
    "role": (
        r"\byou are now (?:an?\b|DAN\b|no longer\b|free\b|unrestricted|jailbroken|acting as|(?:in|entering) (?:\w+ )?mode\b)",
        r"\b(?:pretend (?:to be|you are|that you)|act as if you (?:are|were|have)"
        r"|act as an? (?:unrestricted|uncensored|jailbroken))\b",
        r"\b(?:developer|dan|god|jailbreak|sudo) mode (?:is )?(?:enabled|on|activated)\b",
        r"你现在(?:是|扮演)(?:一个|一名|一位|DAN|不受|没有限制)|假装你是|从现在(?:起|开始)[,，]?你(?:是一|扮演|就是)"
        r"|扮演一个(?:不受|没有|无)限制",
    ),
    "leak": (
        r"\b(?:reveal|print|show|output|repeat|leak|expose|recite)(?: me)? (?:your|the) (?:full |entire |original )?"
        r"(?:system|hidden|initial|secret) (?:prompt|instructions?|message)\b",
        r"(?:输出|显示|泄露|透露|告诉我|重复|打印)(?:出|一下)?(?:你的?|全部|完整)?的?"
        r"(?:系统提示|系统指令|隐藏指令|初始指令|初始提示)",
        r"\b(?:send|post|upload|forward|exfiltrate)\b[^\n]{0,60}\b(?:secrets|credentials|api keys?|ssh keys?|tokens|passwords"
        r"|env(?:ironment)? var\w*|\.env)\b[^\n]{0,40}\bto\s+(?:https?://|\S{1,60}@)",
    ),
    "secrecy": (
        r"\b(?:do not|don't|never) (?:tell|inform|alert|notify|warn|(?:mention|reveal) (?:this|it|that) to) the user\b",
        r"\bwithout (?:telling|informing|asking|notifying|alerting) the user\b",
        r"(?:不要|别|不能)(?:告诉|通知|提醒|透露给)用户|不要让用户(?:知道|发现)|瞒着用户",
    ),
    "markup": (
        r"<\|?/?(?:im_start|im_end|system|endoftext|assistant|system-reminder|system_prompt|instructions?)\|?>|\[/?INST\]|<</?SYS>>",
        r"^#{1,6}\s*(?:new |updated )?(?:system|instructions?|system prompt)\s*:",
        r"\b(?:new|updated|revised) (?:system )?instructions?\s*:",
        r"\b(?:ai|llms?|assistants?|agents?|language models?)(?: that| who)? (?:is |are )?"
        r"(?:read(?:s|ing)?|process(?:es|ing)|pars(?:es|ing)) this\b",
    ),
    "pipe to shell": (r"\b(?:curl|wget)\b[^|\n]{1,200}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b",),
}  # fmt: skip


def orders(text: str, *, quoted: bool = False) -> list[tuple[int, int, str]]:
    """Start, stop and name of each, in order. With `quoted` also in code and quotations, where a file may hide one."""
    shown = fold(text if quoted else spoken(text))
    found = [(*match.span(), name) for name, pattern in _patterns() for match in pattern.finditer(shown)]
    return sorted(found)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(fold("|".join(parts)), re.I | re.M)) for name, parts in ORDERS.items())
