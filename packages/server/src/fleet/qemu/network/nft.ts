import { hostCommand, HostCommandFailed } from '../host/host-command.ts'

/** Brings rules into force, as one transaction. */
export async function setRules(words: readonly string[], rules: string): Promise<void> {
  await hostCommand([...words, 'nft', '-f', '-'], { input: rules })
}

/** A table of IPv4 as nftables prints it, without the members of its sets; undefined if there is none. */
export async function ipTable(words: readonly string[], name: string): Promise<string | undefined> {
  try {
    return await hostCommand([...words, 'nft', '--terse', 'list', 'table', 'ip', name])
  } catch (error) {
    if (error instanceof HostCommandFailed && error.message.includes('No such file')) return undefined
    throw error
  }
}

/** The names of all tables of IPv4. */
export async function ipTables(words: readonly string[]): Promise<string[]> {
  const text = await hostCommand([...words, 'nft', '-j', 'list', 'tables', 'ip'])
  const { nftables } = JSON.parse(text) as { nftables: { table?: { name: string } }[] }
  return nftables.flatMap(({ table }) => table?.name ?? [])
}
