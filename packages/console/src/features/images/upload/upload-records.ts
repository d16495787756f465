/** The record of an upload that this browser began, to recognise its file. */
export interface UploadRecord {
  fileName: string
  fingerprint: string
}

const keyOf = (upload: string): string => `gantry-upload ${upload}`

export const uploadRecords = {
  read(upload: string): UploadRecord | undefined {
    try {
      return parse(JSON.parse(localStorage.getItem(keyOf(upload)) ?? 'null'))
    } catch {
      return undefined
    }
  },
  write(upload: string, { fileName, fingerprint }: UploadRecord): void {
    try {
      localStorage.setItem(keyOf(upload), JSON.stringify({ fileName, fingerprint }))
    } catch {
      // Storage can be full or forbidden. The upload still runs, but cannot be resumed after a reload.
    }
  },
  forget: (upload: string): void => localStorage.removeItem(keyOf(upload)),
}

function parse(value: unknown): UploadRecord | undefined {
  const { fileName, fingerprint } = (value ?? {}) as Partial<Record<keyof UploadRecord, unknown>>
  return typeof fileName === 'string' && typeof fingerprint === 'string'
    ? { fileName, fingerprint }
    : undefined
}
