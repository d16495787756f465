import fs from 'node:fs/promises'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { runningProcesses } from '../../packages/server/src/fleet/qemu/host/processes.ts'

/** Halts the program that copies a disk of a running machine for the given process, and returns its number. */
export async function haltedCopy(isParent: (pid: number) => boolean | Promise<boolean>): Promise<number> {
  const copying = async (): Promise<number | undefined> => {
    for await (const { pid, words } of runningProcesses())
      if (words[0] === 'qemu-img' && words[1] === 'convert' && (await isParent(await parentOf(pid))))
        return pid
    return undefined
  }
  const pid = (await eventually(copying, (seen) => seen !== undefined)) ?? 0
  process.kill(pid, 'SIGSTOP')
  return pid
}

async function parentOf(pid: number): Promise<number> {
  const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])
}
