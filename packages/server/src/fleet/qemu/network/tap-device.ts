import { stat } from 'node:fs/promises'

const DEVICE = '/dev/net/tun'
/** What everybody needs to open a device: reading and writing. */
const OPEN = 0o006

/** The device again, in a mount namespace of the command's own: nobody else's rights change. */
const own = [
  'mount -t tmpfs -o mode=755,size=16k tmpfs /dev/net',
  `mknod -m 666 ${DEVICE} c 10 200`,
  'exec "$@"',
].join(' && ')

/**
 * Words before a command whose user opens a tap of its own. Most systems let everybody do so, because a tap has an
 * owner; some let only root.
 */
export async function withTapDevice(): Promise<readonly string[]> {
  const { mode } = await stat(DEVICE)
  if ((mode & OPEN) === OPEN) return []
  return ['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-c', own, 'sh']
}
