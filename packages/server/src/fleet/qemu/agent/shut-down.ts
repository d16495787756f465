import { socketsFolder } from '../machine/machine-folder.ts'
import { converse } from './conversation.ts'

/** Asks the agent of a guest to shut it down; one that does not answer is no error. */
export async function shutDownByAgent(folder: string): Promise<void> {
  await converse(socketsFolder(folder), async (agent) =>
    agent.tell('guest-shutdown', { mode: 'powerdown' }),
  ).catch(() => {})
}
