import type { OutputOf } from '@gantry/api/client/client'

type Interface = Pick<OutputOf<'instanceNetworkInterfaceView'>, 'ipStack'>

/** What an interface has of each IP version. */
const stacksOf = ({ ipStack }: Interface) =>
  ipStack.type === 'dual_stack' ? [ipStack.value.v4, ipStack.value.v6] : [ipStack.value]

/** The private addresses of an interface: one of each IP version that it has. */
export const addressesOf = (one: Interface): string[] => stacksOf(one).map(({ ip }) => ip)

/** The transit networks of an interface, of both IP versions. */
export const transitIpsOf = (one: Interface): string[] =>
  stacksOf(one).flatMap(({ transitIps }) => transitIps)
