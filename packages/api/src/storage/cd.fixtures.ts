const SECTOR = 2048

/** The descriptors of a CD, with an El Torito entry for each of these platforms, and no files. */
export function isoFile(
  platforms: readonly number[] = [],
  { catalogue = 19, sectors = 24 } = {},
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sectors * SECTOR)
  const descriptor = (at: number, type: number): Uint8Array => {
    const sector = bytes.subarray(at * SECTOR, (at + 1) * SECTOR)
    sector[0] = type
    sector.set(new TextEncoder().encode('CD001'), 1)
    return sector
  }
  descriptor(16, 1)
  if (platforms.length === 0) {
    descriptor(17, 255)
    return bytes
  }
  const boot = descriptor(17, 0)
  boot.set(new TextEncoder().encode('EL TORITO SPECIFICATION'), 7)
  new DataView(boot.buffer, boot.byteOffset).setUint32(71, catalogue, true)
  descriptor(18, 255)
  const at = 19 * SECTOR
  const [first = 0, ...others] = platforms
  bytes.set([1, first], at)
  bytes[at + 32] = 0x88
  for (const [index, platform] of others.entries()) {
    bytes.set([index === others.length - 1 ? 0x91 : 0x90, platform], at + 64 + index * 64)
    bytes[at + 96 + index * 64] = 0x88
  }
  return bytes
}
