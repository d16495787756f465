/** Where backups are written: a folder of the server, or a bucket that speaks the protocol of S3. */
export const backupStoreTypes = ['folder', 's3'] as const
export type BackupStoreType = (typeof backupStoreTypes)[number]

/** Backups that one look into a target shows, and that one request brings into a project. */
export const backupContentsMax = 100

const keyBytes = 32

/** Why a text is no key of a target, or undefined. */
export function encryptionKeyProblem(text: string): string | undefined {
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(text)
  return isBase64
    ? undefined
    : `a key is ${keyBytes} bytes in base64, as it was shown when the target was made`
}

/** Why a text cannot begin the names of objects in a bucket, or undefined. */
export function prefixProblem(text: string): string | undefined {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(text)
  return text === '' || isPlain
    ? undefined
    : 'use letters, digits, dots, hyphens and underscores, with single slashes in between'
}

/** Why a text is no name of a bucket, or undefined. */
export const bucketProblem = (text: string): string | undefined =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)
    ? undefined
    : 'a bucket has 3 to 63 lower-case letters, digits, dots and hyphens'

/** Why a text is no address of a server of S3, or undefined. */
export function endpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'use an address such as https://s3.example.com'
  const { protocol, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'the address begins with https:// or http://'
  if (username !== '' || password !== '') return 'the address carries no name and no password'
  return pathname === '/' && search === '' && hash === ''
    ? undefined
    : 'the address has no path: the bucket is named apart'
}
