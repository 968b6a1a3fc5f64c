"""The scripts that Redis runs: each is one change or one answer, made all at once or not at all.

In a script that waits for replicas every successful path writes, so that WAIT also covers entries it found. A script
answers what it has seen itself: another call may have asked another server.
"""

from hashlib import sha1
from typing import Final


class Script:
    """A script, which Redis knows by its hash once it was run there.

    Shape: `replicated` if replicas must have what it writes, where the operator asks for replicas.
    """

    def __init__(self, text: str, *, replicated: bool = True) -> None:
        self.text = text
        self.replicated = replicated
        self.hash = sha1(text.encode(), usedforsecurity=False).hexdigest()


# A game's mark, that it was created, outlives the game by a day or two; it is on the same slot of a cluster: the tag of
# the key is the same. A change renews it only where that is due, so that replicas have less to write.
CREATE: Final = Script("""
local mark = KEYS[1] .. ':made'
local first = redis.call('LINDEX', KEYS[1], 0)
if first then redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1])) return first end
if redis.call('EXISTS', mark) == 1 then redis.call('EXPIRE', mark, ARGV[3]) return '' end
redis.call('SET', mark, '', 'EX', ARGV[2] + 2 * ARGV[3])
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
""")
LOAD: Final = Script("""
local entries = redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) else redis.call('SET', KEYS[1] .. ':gone', '', 'PX', 1) end
return entries
""")
IS_GONE: Final = Script(
    "return redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[1] .. ':made')", replicated=False
)
# Only from version 7 on, where a script can ask for it, does a server know SPUBLISH; it then has listeners who do.
APPEND: Final = Script("""
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
if redis.call('LINDEX', KEYS[1], -1) ~= ARGV[2] then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
local mark = KEYS[1] .. ':made'
if redis.call('PTTL', mark) < 1000 * (ARGV[4] + ARGV[5]) then
  redis.call('SET', mark, '', 'EX', ARGV[4] + 2 * ARGV[5])
end
redis.call(redis.REDIS_VERSION_NUM and ARGV[6] or 'PUBLISH', ARGV[7], ARGV[8])
return 1
""")
# The presence leases of a game are one text: the name of each, and the time, in milliseconds, at which it expires. The
# expiry of the game comes first: a server that is full refuses the rest. Beside it stands, by holder, when a lease was
# seen last. An earlier version neither reads nor writes that text, but the leases that it wrote are seen here.
LEASE: Final = Script(
    """
local left = redis.call('PTTL', KEYS[1])
if left > 0 and left < tonumber(ARGV[7]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  redis.call('PEXPIRE', KEYS[1] .. ':made', ARGV[7] + 2 * ARGV[8])
end
local key, name, span, stays = KEYS[1] .. ':marks', ARGV[1], ARGV[2], ARGV[3] == '1'
local time, kept, expired, known = redis.call('TIME'), '', false, false
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for other, ends in string.gmatch(redis.call('GET', key) or '', '(%S+) (%S+)') do
  if other == name then known = true
  elseif tonumber(ends) > now then kept = kept .. other .. ' ' .. ends .. ' '
  else expired = true end
end
if stays then kept = kept .. name .. ' ' .. string.format('%.0f', now + span) .. ' ' end
if kept == '' then redis.call('DEL', key) else redis.call('SET', key, kept, 'PX', span) end
if expired or known ~= stays then
  redis.call(redis.REDIS_VERSION_NUM and ARGV[4] or 'PUBLISH', ARGV[5], ARGV[6] .. kept)
end
local seen, noted = '', {}
local function note(holder, at)
  if not noted[holder] then noted[holder], seen = true, seen .. holder .. ' ' .. at .. ' ' end
end
for holder in string.gmatch(kept .. name, '([^%s/]+)/') do note(holder, string.format('%.0f', now)) end
for holder, at in string.gmatch(redis.call('GET', KEYS[1] .. ':seen') or '', '(%S+) (%S+)') do note(holder, at) end
redis.call('SET', KEYS[1] .. ':seen', seen, 'PX', ARGV[9] + span)
return 1
""",
    replicated=False,
)
FIND_ABSENCE: Final = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for lease, ends in string.gmatch(redis.call('GET', KEYS[1] .. ':marks') or '', '(%S+) (%S+)') do
  if string.match(lease, '^[^/]+') == ARGV[1] and tonumber(ends) > now then return 0 end
end
for holder, at in string.gmatch(redis.call('GET', KEYS[1] .. ':seen') or '', '(%S+) (%S+)') do
  if holder == ARGV[1] then return math.max(now - tonumber(at), 0) end
end
return -1
""",
    replicated=False,
)
DROP: Final = Script("""
redis.call('DEL', KEYS[1])
redis.call('EXPIRE', KEYS[1] .. ':made', ARGV[1])
redis.call(redis.REDIS_VERSION_NUM and ARGV[2] or 'PUBLISH', ARGV[3], ARGV[4])
return 1
""")
REMEMBER: Final = Script("""
local kept = redis.call('GET', KEYS[1])
-- A write that changes nothing, so that replicas are waited for, which may lack the value yet.
if kept then redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1])) return kept end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
""")
DESCRIBE: Final = Script(
    """
return {redis.call('LINDEX', KEYS[1], 0), redis.call('LINDEX', KEYS[1], -1), redis.call('LLEN', KEYS[1]),
  redis.call('MEMORY', 'USAGE', KEYS[1])}
""",
    replicated=False,
)
# Kept is the theoretical arrival time (GCRA): when nothing is used any more, by the clock of Redis.
CHARGE: Final = Script(
    """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local used = math.max(tonumber(redis.call('GET', KEYS[1]) or 0) - now, 0)
if used + ARGV[1] > tonumber(ARGV[2]) then return {0, used} end
used = used + ARGV[1]
redis.call('SET', KEYS[1], string.format('%.0f', now + used), 'PX', math.ceil(used / 1000))
return {1, used}
""",
    replicated=False,
)
