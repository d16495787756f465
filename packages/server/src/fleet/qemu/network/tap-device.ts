import { stat } from 'node:fs/promises'

const DEVICE = '/dev/net/tun'
/** The permissions by which every user may open a device. */
const OPEN = 0o006

/** Creates the device in a mount namespace of the command, so that the rights of others are unaffected. */
const own = [
  'mount -t tmpfs -o mode=755,size=16k tmpfs /dev/net',
  `mknod -m 666 ${DEVICE} c 10 200`,
  'exec "$@"',
].join(' && ')

/**
 * Words before a command whose user opens its own tap. Most systems allow that to every user, because a tap has an owner;
 * some only to root.
 */
export async function withTapDevice(): Promise<readonly string[]> {
  const { mode } = await stat(DEVICE)
  if ((mode & OPEN) === OPEN) return []
  return ['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-c', own, 'sh']
}
