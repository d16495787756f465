/** The record of an upload that this browser began, to recognise its file. */
export interface Kept {
  fileName: string
  fingerprint: string
}

const keyOf = (upload: string): string => `gantry-upload ${upload}`

export const kept = {
  read(upload: string): Kept | undefined {
    try {
      return parse(JSON.parse(localStorage.getItem(keyOf(upload)) ?? 'null'))
    } catch {
      return undefined
    }
  },
  write(upload: string, { fileName, fingerprint }: Kept): void {
    try {
      localStorage.setItem(keyOf(upload), JSON.stringify({ fileName, fingerprint }))
    } catch {
      // Storage can be full or forbidden. The upload still runs, but cannot be resumed after a reload.
    }
  },
  forget: (upload: string): void => localStorage.removeItem(keyOf(upload)),
}

function parse(value: unknown): Kept | undefined {
  const { fileName, fingerprint } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>
  return typeof fileName === 'string' && typeof fingerprint === 'string'
    ? { fileName, fingerprint }
    : undefined
}
