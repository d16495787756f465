declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array<ArrayBuffer>
  /** Throws for a broken stream, and for one that would be longer than `maxLength`. */
  export function uncompress(bytes: Uint8Array, maxLength?: number): Uint8Array
}
