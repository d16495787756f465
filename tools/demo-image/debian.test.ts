import { expect, test } from 'vitest'
import { whyNotHere } from './debian.mjs'

const known = () => 'Candidate: 1'

test.each([
  ['nothing', ''],
  ['qemu-img', 'Programs are missing. Run: apt install qemu-utils'],
  ['mke2fs qemu-img', 'Programs are missing. Run: apt install e2fsprogs qemu-utils'],
  ['apt-get qemu-img', 'The demo image is built from packages of Debian'],
])('a host that lacks %s is told what to install', (missing, why) => {
  const said = whyNotHere((program) => !missing.split(' ').includes(program), known)
  expect([said, said.startsWith(why)]).toEqual([why === '' ? '' : said, true])
})

test.each(['', 'Candidate: (none)'])('a host whose apt says %j of a package is told to update it', (text) => {
  const said = whyNotHere(
    () => true,
    (name) => (name === 'syslinux' ? text : known()),
  )
  expect(said).toMatch(/^apt does not know syslinux\. Run apt update/)
})
