import { pathOf, queryOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { serialReplayBytes } from '@gantry/api/compute/instance.rules'

/** The console's stream, on the page's origin. Begins with the end of the history. */
export function streamUrl(
  { protocol, host }: Pick<Location, 'protocol' | 'host'>,
  project: string,
  instance: string,
) {
  const path = pathOf(op.instanceSerialConsoleStream.path, { instance })
  const query = queryOf({ project, mostRecent: serialReplayBytes })
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}${query}`
}

/** The equivalent shell command, with a session cookie, on one line and broken over several. */
export function consoleCommand(
  location: Pick<Location, 'protocol' | 'host' | 'origin'>,
  project: string,
  instance: string,
) {
  const parts = [
    'websocat --binary',
    `--origin ${location.origin}`,
    '--header "Cookie: session=$GANTRY_SESSION"',
    `"${streamUrl(location, project, instance)}"`,
  ]
  return { line: parts.join(' '), lines: parts }
}
