import type { Failure } from '#/data/failure.ts'

type Field = 'name' | 'ipv4Block' | 'ipv6Block'

/** The field of a subnet that a refusal concerns; the server names the rejected block. */
export function refusedField({
  errorCode,
  message,
}: Pick<Failure, 'errorCode' | 'message'>): Field | undefined {
  if (errorCode === 'ObjectAlreadyExists') return 'name'
  const conflict = /^IP address range '([^']*)'/.exec(message)?.[1]
  if (conflict !== undefined) return conflict.includes(':') ? 'ipv6Block' : 'ipv4Block'
  if (message.includes('IPv6 address range')) return 'ipv6Block'
  return message.includes('IPv4 address range') ? 'ipv4Block' : undefined
}
