-- For wrk: sends the bodies of a file, one on each line, in turn. With a number of threads after the file, plays games.
-- Then each thread has one connection, and a line is a play: the game, the token, the ETag or a dash, and the card.
-- A play with a dash takes the ETag of the answer before. Reports in one line of JSON.

local requests, at, etag, count = {}, 0, nil, 0
local form = 'POST /v1/games/%s/plays HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n'
  .. 'Accept: application/json\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https\r\n'
  .. 'Authorization: Bearer %s\r\nIf-Match: "%s"\r\nContent-Length: 13\r\n\r\n{"card":"%s"}'

function setup(thread)
  thread:set("number", count)
  count = count + 1
end

function init(args)
  local threads, game = tonumber(args[2]), -1
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Accept"] = "application/json"
  wrk.headers["X-Forwarded-For"] = "10.0.0.1"
  wrk.headers["X-Forwarded-Proto"] = "https"
  for line in io.lines(args[1]) do
    local id, token, first, card = line:match('^(%S+) (%S+) (%S+) (%S+)$')
    if not threads then
      requests[#requests + 1] = wrk.format("POST", nil, nil, line)
    else
      if first ~= '-' then game = game + 1 end
      if game % threads == number then requests[#requests + 1] = {id, token, first, card} end
    end
  end
  if not threads then return end
  if number == 0 then at = -1 end -- wrk calls request() of the first thread once to look at it
  function response(_, headers)
    etag = (headers["etag"] or headers["ETag"] or ''):sub(2, -2)
  end
end

function request()
  at = at + 1
  if type(requests[1]) == 'string' then return requests[(at - 1) % #requests + 1] end
  -- Without a play left, the last one is sent again and refused, which the measuring program reports.
  local id, token, first, card = unpack(requests[math.max(1, math.min(at, #requests))])
  return string.format(form, id, token, first == '-' and etag or first, card)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
