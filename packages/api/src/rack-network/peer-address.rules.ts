import { knownNet, netContains, parseIp } from '../base/ip.rules.ts'

/** Addresses at which no single other machine can be reached through a router. */
const classes = (
  [
    ['0.0.0.0/32', 'the unspecified address'],
    ['127.0.0.0/8', 'a loopback address'],
    ['224.0.0.0/4', 'a multicast address'],
    ['255.255.255.255/32', 'the broadcast address'],
    ['::/128', 'the unspecified address'],
    ['::1/128', 'the loopback address'],
    ['::ffff:0:0/96', 'a mapped IPv4 address'],
    ['fe80::/10', 'a link-local address'],
    ['ff00::/8', 'a multicast address'],
  ] as const
).map(([text, words]) => ({ words, net: knownNet(text) }))

/** The problem with the address of a BGP peer, or of the own end of its session. */
export function peerAddressProblem(text: string): string | undefined {
  const ip = parseIp(text)
  if (!ip) return 'Not a valid IP address'
  const found = classes.find(({ net }) => netContains(net, ip))
  return found && `Must not be ${found.words}`
}
