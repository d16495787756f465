const LEAST = [20, 19]

/** Exits with a message if Node is too old. */
export function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  process.stderr.write(
    `Gantry needs Node ${LEAST.join('.')} or newer, and this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}
