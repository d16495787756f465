/** Four decimal octets without leading zeros: `010.0.0.1` and `1` are not addresses here. */
export function isIpv4(text: string): boolean {
  const octets = text.split('.')
  return (
    octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
  )
}

/** Eight groups, or one `::` for at least one group; an IPv4 tail counts as two groups; no zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const tail = groups.at(-1)
  let count = groups.length
  if (tail?.includes('.')) {
    if (!text.endsWith(tail) || !isIpv4(tail)) return false
    groups.pop()
    count++
  }
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? count <= 7 : count === 8
}

export const isIp = (text: string): boolean => isIpv4(text) || isIpv6(text)

export const ipProblem = (text: string): string | undefined =>
  isIp(text) ? undefined : 'Not a valid IP address'

/** What is wrong with `address/width`, in the words of the specification's section 5. */
export function ipNetProblem(text: string): string | undefined {
  const [address = '', width = '', ...rest] = text.split('/')
  if (rest.length > 0 || !isIp(address) || width.trim() === '')
    return 'Must contain an IP address and a width, separated by a /'
  if (!/^\d+$/.test(width)) return 'Width must be an integer'
  if (isIpv4(address)) return Number(width) > 32 ? 'Max width for IPv4 is 32' : undefined
  return Number(width) > 128 ? 'Max width for IPv6 is 128' : undefined
}
