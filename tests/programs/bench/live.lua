-- For wrk: sends the plays of a file, one on each line, in order and each once; reports as post.lua does.

local requests, at = {}, -1 -- wrk calls request() once to look at it, and does not send that one
local form = 'POST /v1/games/%s/plays HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n'
  .. 'Accept: application/json\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https\r\nAuthorization: Bearer %s\r\nIf-Match: "%s"\r\nContent-Length: 13\r\n\r\n{"card":"%s"}'

function init(args)
  for line in io.lines(args[1]) do
    requests[#requests + 1] = string.format(form, line:match('(%S+) (%S+) (%S+) (%S+)'))
  end
end

function request()
  at = at + 1
  -- If there are no plays left, the measuring program sees it by the count of answers.
  return requests[math.max(1, math.min(at, #requests))]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.1f,"p99":%.1f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
