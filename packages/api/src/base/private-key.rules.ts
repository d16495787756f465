/** Forms of private keys, and how a message names them. The base64 is the beginning of OpenSSH's own form. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN OPENSSH PRIVATE KEY-----|\bb3BlbnNzaC1rZXktdjE/, 'an OpenSSH private key'],
  [/\bPuTTY-User-Key-File-\d/, 'a PuTTY private key file'],
  [/---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/, 'an SSH2 private key'],
  [/-----BEGIN PGP PRIVATE KEY BLOCK-----/, 'a PGP private key'],
  [/-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----/, 'a private key'],
  [/\bAGE-SECRET-KEY-1/, 'an age private key'],
]

/** Names the private key that a text contains; undefined if it contains none. */
export const privateKeyIn = (text: string): string | undefined => forms.find(([form]) => form.test(text))?.[1]

const block =
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----[^-]*-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----\s*/g

/** The text without its PEM blocks of private keys. */
export const withoutPrivateKeys = (pem: string): string => pem.replace(block, '')
