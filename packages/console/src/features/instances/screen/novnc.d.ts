/**
 * What we use of the client of RFB; its package has no types. Versions from 1.6 await at their top level, for which the
 * bundler splits every chunk of the console that is loaded later: a page of an instance then asks for 28 files, not 22.
 */
declare module '@novnc/novnc/lib/rfb.js' {
  interface Channel {
    binaryType: string
    readonly protocol: string
    readonly readyState: string
    onopen: (() => void) | null
    onclose: ((event: object) => void) | null
    onmessage: ((event: { data: ArrayBuffer }) => void) | null
    onerror: ((event: object) => void) | null
    send: (bytes: Uint8Array) => void
    close: () => void
  }
  class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: Channel, options?: { shared?: boolean })
    /** Whether keys and pointer stay here. */
    viewOnly: boolean
    scaleViewport: boolean
    showDotCursor: boolean
    /** A value of CSS. */
    background: string
    focus: (options?: FocusOptions) => void
    blur: () => void
    disconnect: () => void
    sendKey: (symbol: number, code: string, isDown?: boolean) => void
    toBlob: (use: (image: Blob | null) => void) => void
  }
  /** A module of CommonJS, which has its class as a property. */
  const module: { default: typeof RFB }
  export default module
}
