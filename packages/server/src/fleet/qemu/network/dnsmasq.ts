import { createHash } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import path from 'node:path'
import { hasNobody } from '../machine/machine-users.ts'
import type { HostAccess } from './host-access.ts'
import { endProcesses, findProcesses, type FoundProcess, startDaemon } from './processes.ts'

/** A dnsmasq of a folder, whose command line names the folder and a digest of its configuration. */
export class Dnsmasq {
  readonly #prefix: string
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.#prefix = wordOf(path.join(folder, 'dnsmasq-'))
  }

  /** Starts it with this configuration; a process that already has it keeps running. */
  async run({ isRoot }: HostAccess, enter: readonly string[], config: string): Promise<void> {
    const file = this.#file(config)
    const running = await this.#running()
    const [same, others] = [true, false].map((is) =>
      running.filter(({ words }) => words.includes(wordOf(file)) === is),
    ) as [FoundProcess[], FoundProcess[]]
    await endProcesses(others)
    if (same.length > 0) return
    await rm(file, { force: true })
    // Guests send it packets, so it drops the rights that it does not need.
    const user = isRoot && (await hasNobody()) ? ['--user=nobody'] : ['--user=', '--group=']
    await startDaemon(
      [
        ...enter,
        'dnsmasq',
        '--keep-in-foreground',
        '--conf-file=-',
        '--log-facility=-',
        ...user,
        wordOf(file),
      ],
      {
        input: config,
        // Written once its sockets are bound.
        isReady: () =>
          access(file).then(
            () => true,
            () => false,
          ),
      },
    )
  }

  end = async (): Promise<void> => endProcesses(await this.#running())

  isRunningIn = (processes: readonly FoundProcess[], config: string): boolean =>
    processes.some(({ words }) => words.includes(wordOf(this.#file(config))))

  #running = (): Promise<FoundProcess[]> => findProcesses((word) => word.startsWith(this.#prefix))

  #file = (config: string): string =>
    path.join(this.#folder, `dnsmasq-${createHash('sha256').update(config).digest('hex').slice(0, 12)}.pid`)
}

const wordOf = (file: string): string => `--pid-file=${file}`

/** Every dnsmasq of a folder below this one, with the name of that folder. */
export async function dnsmasqProcesses(folder: string): Promise<(FoundProcess & { of: string })[]> {
  const prefix = wordOf(`${folder}${path.sep}`)
  const found = await findProcesses((word) => word.startsWith(prefix))
  return found.map((one) => {
    const word = one.words.find((text) => text.startsWith(prefix)) ?? ''
    return { ...one, of: word.slice(prefix.length).split(path.sep)[0] ?? '' }
  })
}

/** The folder with the networks of a dnsmasq's installation, from its command line. */
export function folderOfDnsmasq(words: readonly string[]): string | undefined {
  for (const word of words) {
    const [, folder] = /^--pid-file=(.+)\/[^/]+\/dnsmasq-[0-9a-f]{12}\.pid$/.exec(word) ?? []
    if (folder !== undefined) return folder
  }
  return undefined
}
