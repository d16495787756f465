/** Fields of a log record that hold no text of users: times, codes, numbers and ids. */
const kept = new Set([
  'attempt',
  'code',
  'count',
  'delay_ms',
  'final',
  'job',
  'kind',
  'level',
  'operation',
  'pid',
  'port',
  'request_id',
  'signal',
  'status',
  'time',
])

/** Error messages may quote input, so an error is its type, its code, and where it happened. */
function errorOf({ type, code, stack }: Record<string, unknown>) {
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : []
  return {
    ...(typeof type === 'string' && { type }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    frames: frames.map((line) => line.trim()),
  }
}

/** A record of the log without secrets and personal data; undefined if it is no record. */
export function safeRecord(line: string): string | undefined {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const safe: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (kept.has(name) && (typeof value !== 'object' || value === null)) safe[name] = value
    // The message of a record is a constant of the program; values are in fields.
    else if (name === 'msg' && typeof value === 'string') safe[name] = value
    else if (['err', 'error', 'cause'].includes(name) && typeof value === 'object' && value !== null)
      safe[name] = errorOf(value as Record<string, unknown>)
  }
  return JSON.stringify(safe)
}
