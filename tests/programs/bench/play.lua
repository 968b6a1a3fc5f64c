-- For wrk, with one connection for each thread: plays the games of a file, each play with the ETag of the one before.
-- A line is a play, of the game of the line before if it has no ETag of its own; reports as post.lua does.

local plays, at, etag, count = {}, 0, nil, 0
local form = 'POST /v1/games/%s/plays HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n'
  .. 'Accept: application/json\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer %s\r\nIf-Match: "%s"\r\nContent-Length: 13\r\n\r\n{"card":"%s"}'

function setup(thread)
  thread:set("number", count)
  count = count + 1
end

function init(args)
  local game = -1
  for line in io.lines(args[1]) do
    local id, token, first, card = line:match('(%S+) (%S+) (%S+) (%S+)')
    if first ~= '-' then game = game + 1 end
    if game % tonumber(args[2]) == number then plays[#plays + 1] = {id, token, first, card} end
  end
  if number == 0 then at = -1 end -- wrk calls request() of the first thread once to look at it
end

function request()
  at = at + 1
  -- Without a play left, the last one is sent again and refused, which the measuring program reports.
  local play = plays[math.max(1, math.min(at, #plays))]
  return string.format(form, play[1], play[2], play[3] == '-' and etag or play[3], play[4])
end

function response(status, headers)
  etag = (headers["etag"] or headers["ETag"] or ''):sub(2, -2)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
