import { hostCommand, HostCommandFailed } from '../host/host-command.ts'

/** Runs many commands of `ip` in one process; the first failure ends it. */
export async function ipBatch(words: readonly string[], lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await hostCommand([...words, 'ip', '-batch', '-'], { input: linesOf(lines) })
}

/** Runs each command even if others fail; the caller reads the outcome from the host's state. */
export async function ipAttempts(words: readonly string[], lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  try {
    await hostCommand([...words, 'ip', '-force', '-batch', '-'], { input: linesOf(lines) })
  } catch (error) {
    if (!(error instanceof HostCommandFailed)) throw error
  }
}

const linesOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** The JSON output of `ip`, one list for each command. Missing fields are undefined. */
export async function ipList(words: readonly string[], lines: readonly string[]): Promise<unknown[][]> {
  const output = await hostCommand([...words, 'ip', '-json', '-details', '-batch', '-'], {
    input: `${lines.join('\n')}\n`,
  })
  return lines.map((line, index) => {
    const text = output.split('\n').filter((part) => part !== '')[index]
    const list: unknown = text === undefined ? [] : JSON.parse(text)
    if (!Array.isArray(list)) throw new HostCommandFailed(`ip ${line} did not print a list`)
    return list
  })
}

export interface IpRoute {
  dst: string
  gateway?: string
  dev?: string
}
export interface IpLink {
  ifname: string
  ifalias?: string
}
export interface IpRule {
  priority: number
  fwmark?: string
}

/** Kernel settings of a network namespace, set by a shell because they are files of the namespace that opens them. */
export async function setKernel(
  words: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const script =
    'while read -r key value; do file="/proc/sys/net/$key"; [ ! -e "$file" ] || echo "$value" > "$file" || exit 1; done'
  const input = Object.entries(values).map(([key, value]) => `${key} ${value}\n`)
  await hostCommand([...words, 'sh', '-c', script], { input: input.join('') })
}
