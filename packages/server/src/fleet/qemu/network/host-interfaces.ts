import { type IpLink, ipList } from './ip.ts'

/** All interfaces but the loopback. */
export async function interfacesOf(host: readonly string[]): Promise<string[]> {
  const [links = []] = await ipList(host, ['link show'])
  return (links as IpLink[]).map(({ ifname }) => ifname).filter((name) => name !== 'lo')
}

/** Why external addresses cannot be answered for on this interface of a host that has these. */
export const whyNotExternal = (
  wanted: string | undefined,
  interfaces: readonly string[],
): string | undefined =>
  wanted === undefined || interfaces.includes(wanted)
    ? undefined
    : `The setting fleet.external_interface names ${wanted}, which this host does not have. ` +
      `It has ${interfaces.join(', ') || 'none'}.`
