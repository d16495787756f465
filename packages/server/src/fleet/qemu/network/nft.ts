import { hostCommand, HostCommandFailed } from '../host-command.ts'

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
