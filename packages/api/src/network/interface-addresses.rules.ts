interface Stack {
  ip: string
  transitIps: readonly string[]
}
/** What an interface has of each IP version, as clients read it. */
interface Interface {
  ipStack: { type: 'v4' | 'v6'; value: Stack } | { type: 'dual_stack'; value: { v4: Stack; v6: Stack } }
}

const stacksOf = ({ ipStack }: Interface): Stack[] =>
  ipStack.type === 'dual_stack' ? [ipStack.value.v4, ipStack.value.v6] : [ipStack.value]

/** The private addresses of an interface: one of each IP version that it has. */
export const addressesOf = (one: Interface): string[] => stacksOf(one).map(({ ip }) => ip)

/** The transit networks of an interface, of both IP versions. */
export const transitIpsOf = (one: Interface): string[] =>
  stacksOf(one).flatMap(({ transitIps }) => transitIps)
