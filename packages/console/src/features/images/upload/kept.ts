/** What this browser remembers of an upload it began, to know the file again. */
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
      // Storage can be full or forbidden; the upload then runs, and cannot be gone on with after a reload.
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
