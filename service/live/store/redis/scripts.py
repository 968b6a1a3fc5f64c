"""The scripts that Redis runs: each is one atomic change or answer.

If a script waits for replicas, every successful path writes, so that WAIT also covers entries it found. A script
returns what it read itself: a second call might reach another server.
"""

from hashlib import sha1
from typing import Final


class Script:
    """A script; Redis knows it by its hash after the first run.

    Shape: `replicated` if replicas must confirm its write, provided the operator asks for replicas.
    """

    def __init__(self, text: str, *, replicated: bool = True) -> None:
        self.text = text
        self.replicated = replicated
        self.hash = sha1(text.encode(), usedforsecurity=False).hexdigest()


# A mark says that a game was created. It outlives the game by a day or two, on the same slot of a cluster: the tag of
# the key is the same. A change renews it only when that is due, so replicas write less.
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
# Servers know SPUBLISH from version 7 on, and a script can ask for the version only there.
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
# The presence leases of a game are one text: each name with its expiry in milliseconds. The game's expiry is written
# first: a full server refuses the rest. A second text has, by holder, when a lease was last seen. Earlier versions do
# not know it, but their leases are seen here.
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
# An ending game is dropped or, with ARGV[5], kept aside for that time, with how and when it ended behind its log. With
# ARGV[7] it ends only if ARGV[7] is its last entry and it has at most the time of ARGV[5] left.
DROP: Final = Script("""
local ended, keep = KEYS[1] .. ':ended', tonumber(ARGV[5])
if ARGV[7] then
  local left = redis.call('PTTL', KEYS[1])
  if redis.call('LINDEX', KEYS[1], -1) ~= ARGV[7] or left > 1000 * keep then return 0 end
end
if keep > 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  local time = redis.call('TIME')
  redis.call('RENAME', KEYS[1], ended)
  redis.call('RPUSH', ended, ARGV[6] .. ' ' .. time[1] .. string.format('%03d', math.floor(time[2] / 1000)))
  redis.call('EXPIRE', ended, keep)
else redis.call('DEL', KEYS[1]) end
redis.call('EXPIRE', KEYS[1] .. ':made', ARGV[1])
redis.call(redis.REDIS_VERSION_NUM and ARGV[2] or 'PUBLISH', ARGV[3], ARGV[4])
return 1
""")
LOAD_ENDED: Final = Script("""
local ended, mark = KEYS[1] .. ':ended', KEYS[1] .. ':made'
if redis.call('EXISTS', KEYS[1]) == 1 or redis.call('EXISTS', mark) == 0 then return false end
redis.call('PEXPIRE', mark, redis.call('PTTL', mark))
return redis.call('LRANGE', ended, 0, -1)
""")
# An app has three keys. `open`: its open games, each by the unique millisecond of its arrival. `feed`: a list of
# entries, each behind the millisecond of its arrival. `state`: the position of the first entry, and the bytes of all.
INDEX: Final = Script("""
local open, last, time = KEYS[1] .. ':open', KEYS[1] .. ':last', redis.call('TIME')
local now = math.max(time[1] * 1000 + math.floor(time[2] / 1000), (redis.call('GET', last) or 0) + 1)
if not redis.call('ZSCORE', open, ARGV[1]) then
  redis.call('ZADD', open, string.format('%.0f', now), ARGV[1])
  redis.call('SET', last, string.format('%.0f', now), 'EX', ARGV[2])
end
redis.call('EXPIRE', open, ARGV[2])
return 1
""")
ANNOUNCE: Final = Script("""
local feed, state, cut = KEYS[1] .. ':feed', KEYS[1] .. ':state', 0
if redis.call('ZREM', KEYS[1] .. ':open', ARGV[1]) == 0 then
  redis.call('SET', KEYS[1] .. ':none', '', 'PX', 1)
  return -1
end
if ARGV[2] == '' then return 0 end
local first, size = string.match(redis.call('GET', state) or '0 0', '(%d+) (%d+)')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local entry = string.format('%.0f ', now) .. ARGV[2]
local length = redis.call('RPUSH', feed, entry)
size = size + #entry
while length > 1 do
  local head = redis.call('LINDEX', feed, 0)
  local old = now - string.match(head, '^%d+') > 1000 * ARGV[3]
  if not old and size <= tonumber(ARGV[4]) then break end
  redis.call('LPOP', feed)
  first, size, length, cut = first + 1, size - #head, length - 1, cut + (old and 0 or 1)
end
redis.call('SET', state, string.format('%.0f %.0f', first, size), 'EX', ARGV[3])
redis.call('EXPIRE', feed, ARGV[3])
redis.call(redis.REDIS_VERSION_NUM and ARGV[5] or 'PUBLISH', ARGV[6], string.format('%.0f', first + length))
return cut
""")
LOAD_FEED: Final = Script("""
local feed, state = KEYS[1] .. ':feed', KEYS[1] .. ':state'
local length = redis.call('LLEN', feed)
local first = tonumber(string.match(redis.call('GET', state) or '0', '%d+'))
if length > 0 then redis.call('PEXPIRE', feed, redis.call('PTTL', feed))
else redis.call('SET', KEYS[1] .. ':none', '', 'PX', 1) end
local start = math.max(ARGV[1] - first, 0)
if start > length then start = 0 end
local found, size = redis.call('LRANGE', feed, start, start + ARGV[2] - 1), 0
local answer = {first, first + length, first + start}
for at, entry in ipairs(found) do
  size = size + #entry
  if at > 2 and size > tonumber(ARGV[3]) then break end
  answer[at + 3] = entry
end
return answer
""")
TAKE_SWEEP: Final = Script(
    """
redis.call('EXPIRE', KEYS[1] .. ':open', ARGV[2])
if redis.call('EXISTS', KEYS[1] .. ':sweep') == 1 then return 0 end
redis.call('SET', KEYS[1] .. ':sweep', '', 'EX', ARGV[1])
return 1
""",
    replicated=False,
)
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
# The value is the theoretical arrival time (GCRA): when the use is back to zero, by the clock of Redis.
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
