import { hostCommand } from '../host/host-command.ts'
import { FORWARDED_SET } from './host-rules.ts'
import { ipTables } from './nft.ts'
import { tagOfTable } from './names.ts'

/** Entries of the kernel besides interfaces. */
const notInterfaces = new Set(['all', 'default', 'lo'])

/** Whether the host forwards packets in general, and the interfaces on which forwarding is on and off. */
export interface Forwarding {
  isRouter: boolean
  on: readonly string[]
  off: readonly string[]
}

export async function readForwarding(host: readonly string[]): Promise<Forwarding> {
  // To a shell that reads byte by byte the kernel returns the value without a line end: `read` fails but sets it.
  const script =
    'cd /proc/sys/net/ipv4 && { read -r value <ip_forward; echo "$value"; } && cd conf && ' +
    'for name in *; do value=; { read -r value <"$name/forwarding"; } 2>/dev/null; echo "$value $name"; done'
  const [global, ...lines] = (await hostCommand([...host, 'sh', '-c', script])).trim().split('\n')
  const named = (value: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${value} `))
      .map((line) => line.slice(value.length + 1))
      .filter((name) => !notInterfaces.has(name))
  return { isRouter: global === '1', on: named('1'), off: named('0') }
}

/** The interfaces on which each installation enabled forwarding, by its tag. */
export async function forwardedByTag(host: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of await ipTables(host)) {
    const tag = tagOfTable(table)
    if (tag !== undefined) found.set(tag, await forwardedOf(host, table))
  }
  return found
}

async function forwardedOf(host: readonly string[], table: string): Promise<string[]> {
  // Earlier versions have no such set, and the table may be removed at any moment.
  const text = await hostCommand([...host, 'nft', '-j', 'list', 'set', 'ip', table, FORWARDED_SET]).catch(
    () => '{"nftables":[]}',
  )
  const { nftables } = JSON.parse(text) as { nftables: { set?: { elem?: unknown[] } }[] }
  return nftables
    .flatMap(({ set }) => set?.elem ?? [])
    .filter((name): name is string => typeof name === 'string')
}
