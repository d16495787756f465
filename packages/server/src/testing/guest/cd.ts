const SECTOR = 2048
const at = { volume: 16, boot: 17, end: 18, catalogue: 19, image: 20 } as const
const uefi = 0xef

/** A CD that UEFI boots: an El Torito entry with these bytes, which are a FAT file system. */
export function bootableCd(fat: Uint8Array): Uint8Array<ArrayBuffer> {
  const sectors = at.image + Math.ceil(fat.length / SECTOR)
  const cd = new Uint8Array(sectors * SECTOR)
  const view = new DataView(cd.buffer)
  const descriptor = (sector: number, type: number): number => {
    const start = sector * SECTOR
    cd[start] = type
    cd.set(new TextEncoder().encode('CD001'), start + 1)
    cd[start + 6] = 1
    return start
  }
  view.setUint32(descriptor(at.volume, 1) + 80, sectors, true)
  const boot = descriptor(at.boot, 0)
  cd.set(new TextEncoder().encode('EL TORITO SPECIFICATION'), boot + 7)
  view.setUint32(boot + 71, at.catalogue, true)
  descriptor(at.end, 255)
  const catalogue = at.catalogue * SECTOR
  cd.set([1, uefi], catalogue)
  cd.set([0x55, 0xaa], catalogue + 30)
  // The words of the first entry add up to a multiple of 2^16.
  const sum = 1 + (uefi << 8) + 0xaa55
  view.setUint16(catalogue + 28, -sum & 0xffff, true)
  cd[catalogue + 32] = 0x88
  view.setUint16(catalogue + 38, Math.ceil(fat.length / 512), true)
  view.setUint32(catalogue + 40, at.image, true)
  cd.set(fat, at.image * SECTOR)
  return cd
}
