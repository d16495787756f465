import { MiB } from '@gantry/api/base/bytes.rules'
import { toHex } from '../context/ids.ts'
import type { BlockStore } from './block-store.ts'

const PAGE = 64 * 1024
/** Web Crypto only hashes data that is in memory as a whole. */
const digestMaxBytes = 128 * MiB

interface Held {
  size: number
  /** Only written pages; a clone shares them until one side writes. */
  pages: Map<number, Uint8Array<ArrayBuffer>>
}

/**
 * Block store in memory, for the browser and for tests. Clones share pages, so an empty disk costs nothing.
 */
export function memoryBlocks(): BlockStore {
  const objects = new Map<string, Held>()
  const held = (id: string): Held => {
    const object = objects.get(id)
    if (!object) throw new Error(`no block object ${id}`)
    return object
  }
  return {
    async create(id, size, from) {
      if (objects.has(id)) return
      objects.set(id, { size, pages: new Map(from ? held(from).pages : []) })
    },
    async grow(id, size) {
      const object = held(id)
      object.size = Math.max(object.size, size)
    },
    async needRoom() {},
    async needRoomFor() {},
    async read(id, offset, length) {
      const { size, pages } = held(id)
      const out = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      for (const [page, at, from, count] of spans(offset, out.length)) {
        const bytes = pages.get(page)
        if (bytes) out.set(bytes.subarray(from, from + count), at)
      }
      return out
    },
    async written(id) {
      const { pages } = held(id)
      return (offset, length) => {
        for (const [page] of spans(offset, length)) if (pages.has(page)) return true
        return false
      }
    },
    async write(id, offset, bytes) {
      const { size, pages } = held(id)
      if (offset + bytes.length > size) throw new Error('write beyond the end of the block object')
      for (const [page, at, from, count] of spans(offset, bytes.length)) {
        // A page may be shared with a clone: copy before the first write.
        const copy = pages.get(page)?.slice() ?? new Uint8Array(PAGE)
        copy.set(bytes.subarray(at, at + count), from)
        pages.set(page, copy)
      }
    },
    async zero(id, offset, length) {
      const { size, pages } = held(id)
      if (offset + length > size) throw new Error('write beyond the end of the block object')
      for (const page of pages.keys()) {
        const from = Math.max(offset, page * PAGE) - page * PAGE
        const to = Math.min(offset + length, (page + 1) * PAGE) - page * PAGE
        if (from >= to) continue
        if (to - from === PAGE) pages.delete(page)
        else pages.set(page, pages.get(page)?.slice().fill(0, from, to) ?? new Uint8Array(PAGE))
      }
    },
    async digest(id) {
      const { size } = held(id)
      if (size > digestMaxBytes) return undefined
      return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await this.read(id, 0, size))))
    },
    async remove(id) {
      objects.delete(id)
    },
    async size(id) {
      return objects.get(id)?.size
    },
    async occupied(id) {
      const pages = objects.get(id)?.pages
      return pages && pages.size * PAGE
    },
  }
}

/** Splits a range into page pieces: page number, offset in the range, offset in the page, length. */
function* spans(offset: number, length: number): Generator<[number, number, number, number]> {
  for (let at = 0; at < length;) {
    const from = (offset + at) % PAGE
    const count = Math.min(PAGE - from, length - at)
    yield [Math.floor((offset + at) / PAGE), at, from, count]
    at += count
  }
}
