/** Maximum length of the URL of an image file, in characters: those with a signature are long. */
export const imageUrlMax = 2048

/** Why no file is fetched from a URL, as far as its text says it; the server also checks where it leads. */
export function imageUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return 'must be a web address that begins with https:// or http://'
  const { username, password, pathname } = new URL(text)
  if (username !== '' || password !== '') return 'must not hold a user name or a password'
  return /[^/]$/.test(pathname) ? undefined : 'must lead to a file, and ends with a folder'
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)

/** A URL without its query, which may hold a secret: a signature or a token. */
export function shownUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}

/** Extensions of image files and of compressed ones, of which a name may end with several. */
const extension = /\.(?:raw|img|iso|qcow2?|vmdk|vhdx?|vdi|gz|xz|lzma|zst|lz4|bz2|bin)$/

/** The names of operating systems as file names begin with them or contain them. */
const systems: readonly (readonly [pattern: RegExp, os: string])[] = [
  [/ubuntu/, 'Ubuntu'],
  [/debian/, 'Debian'],
  [/fedora/, 'Fedora'],
  [/alma(?:linux)?/, 'AlmaLinux'],
  [/rocky/, 'Rocky Linux'],
  [/centos/, 'CentOS'],
  [/rhel/, 'RHEL'],
  [/alpine/, 'Alpine Linux'],
  [/opensuse/, 'openSUSE'],
  [/sles?(?:-|_)/, 'SLES'],
  [/arch(?:-?linux)/, 'Arch Linux'],
  [/flatcar/, 'Flatcar'],
  [/nixos/, 'NixOS'],
  [/freebsd/, 'FreeBSD'],
  [/openbsd/, 'OpenBSD'],
  [/netbsd/, 'NetBSD'],
  [/omnios/, 'OmniOS'],
  [/helios/, 'Helios'],
  [/windows|win(?=\d)/, 'Windows'],
]

/** Releases whose images are named for their code name. */
const releases: Readonly<Record<string, readonly [os: string, version: string]>> = {
  focal: ['Ubuntu', '20.04'],
  jammy: ['Ubuntu', '22.04'],
  noble: ['Ubuntu', '24.04'],
  plucky: ['Ubuntu', '25.04'],
  questing: ['Ubuntu', '25.10'],
  bullseye: ['Debian', '11'],
  bookworm: ['Debian', '12'],
  trixie: ['Debian', '13'],
}

export interface ImageGuess {
  name: string
  os: string
  version: string
}

/** Proposes the name, operating system and version of an image by the name of its file; empty where it says nothing. */
export function guessOfUrl(url: string): ImageGuess {
  if (!URL.canParse(url)) return { name: '', os: '', version: '' }
  let file = decoded(new URL(url).pathname.split('/').at(-1) ?? '').toLowerCase()
  for (let next = file; ; file = next) {
    next = file.replace(extension, '')
    if (next === file) break
  }
  const words = file.split(/[-_.+ ]/)
  const release = words.map((word) => releases[word]).find((found) => found !== undefined)
  const found = systems.find(([pattern]) => pattern.test(file))
  const os = found?.[1] ?? release?.[0] ?? ''
  return { name: nameOf(file), os, version: versionIn(file, found?.[0]) ?? release?.[1] ?? '' }
}

/** The first number after the system, which is not that of an architecture. */
function versionIn(file: string, system: RegExp | undefined): string | undefined {
  if (!system) return undefined
  const after = file.slice(file.search(system)).replace(system, '')
  const plain = after.replaceAll(/x86[-_]64|amd64|arm64|aarch64|i[3-6]86|riscv64|ppc64(?:le)?|s390x/g, '')
  return /(?:^|[-_.])v?(\d+(?:\.\d+)*)(?=[-_.]|$)/.exec(plain)?.[1] ?? /^(\d+(?:\.\d+)*)/.exec(plain)?.[1]
}

/** A name of the API: letters, digits and hyphens, from a letter to a letter or digit. */
const nameOf = (file: string): string =>
  file
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
