/** Where the program writes. */
export interface Terminal {
  out: (text: string) => void
  err: (text: string) => void
  /** Characters of a line; undefined where no terminal shows it. */
  columns: number | undefined
  isColoured: boolean
}

export function processTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  // `gantry … | head` closes the pipe as soon as it has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { isTTY } = process.stdout
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    get columns() {
      return isTTY ? process.stdout.columns : undefined
    },
    isColoured: isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  }
}

/** Text of a server, without what a terminal would act on. */
// oxlint-disable-next-line no-control-regex -- exactly those
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
