/** Which IP versions an interface has addresses of. */
export const ipStackTypes = ['v4', 'v6', 'dual_stack'] as const
export type IpStackType = (typeof ipStackTypes)[number]

/** In a form, and of a template. */
export const ipStackWords: Record<IpStackType, string> = {
  dual_stack: 'IPv4 and IPv6',
  v4: 'IPv4 only',
  v6: 'IPv6 only',
}

const isIpv6Net = (text: string): boolean => text.includes(':')

/** Networks of both IP versions, by version. */
export const byVersion = (networks: readonly string[]): { v4: string[]; v6: string[] } => ({
  v4: networks.filter((one) => !isIpv6Net(one)),
  v6: networks.filter(isIpv6Net),
})

type AutomaticStack =
  | { type: 'v4' | 'v6'; value: ReturnType<typeof selected> }
  | { type: 'dual_stack'; value: Record<'v4' | 'v6', ReturnType<typeof selected>> }

/** The request for an interface whose addresses the platform selects. */
export function automaticStack(type: IpStackType, networks: readonly string[] = []): AutomaticStack {
  const { v4, v6 } = byVersion(networks)
  return type === 'dual_stack'
    ? { type, value: { v4: selected(v4), v6: selected(v6) } }
    : { type, value: selected([...networks]) }
}

/** One address that the platform selects. */
export const selected = (transit_ips: string[] = []) => ({ ip: { type: 'auto' as const }, transit_ips })
