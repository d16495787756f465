import { expect, test } from 'vitest'
import { nameProblem } from '../base/name.rules.ts'
import { guessOfUrl, imageUrlProblem, isSha256, shownUrl } from './image-url.rules.ts'

test.each([
  ['https://h.example/noble-server-cloudimg-amd64.img', 'noble-server-cloudimg-amd64', 'Ubuntu', '24.04'],
  [
    'https://h.example/ubuntu-24.04-server-amd64.img?sig=a/b.c',
    'ubuntu-24-04-server-amd64',
    'Ubuntu',
    '24.04',
  ],
  ['https://h.example/debian-12-generic-amd64.qcow2', 'debian-12-generic-amd64', 'Debian', '12'],
  [
    'https://h.example/Fedora-Cloud-Base-Generic.x86_64-40-1.14.qcow2',
    'fedora-cloud-base-generic-x86-64-40-1-14',
    'Fedora',
    '40',
  ],
  ['https://h.example/alpine-virt-3.20.3-x86_64.iso', 'alpine-virt-3-20-3-x86-64', 'Alpine Linux', '3.20.3'],
  ['https://h.example/AlmaLinux-9-latest.x86_64.qcow2', 'almalinux-9-latest-x86-64', 'AlmaLinux', '9'],
  ['https://h.example/FreeBSD-14.1-RELEASE-amd64.raw.xz', 'freebsd-14-1-release-amd64', 'FreeBSD', '14.1'],
  ['https://h.example/a/Arch-Linux-x86_64-cloudimg.qcow2', 'arch-linux-x86-64-cloudimg', 'Arch Linux', ''],
  ['https://h.example/2024-disk%20one.raw', 'disk-one', '', ''],
  ['https://h.example/%ff.img', 'ff', '', ''],
  ['https://h.example/', '', '', ''],
  ['nonsense', '', '', ''],
])('%s proposes %j, %j, %j', (url, name, os, version) => {
  expect(guessOfUrl(url)).toEqual({ name, os, version })
  expect(name === '' ? undefined : nameProblem(name)).toBeUndefined()
})

test('a long file name is cut to a name that is valid', () => {
  const { name } = guessOfUrl(`https://h.example/${'a-'.repeat(200)}.raw`)
  expect([name.length <= 63, nameProblem(name)]).toEqual([true, undefined])
})

test.each([
  ['https://h.example/a.raw', undefined],
  ['http://h.example:8080/d/a.raw?x=1', undefined],
  ['ftp://h.example/a.raw', 'must be a web address that begins with https:// or http://'],
  ['h.example/a.raw', 'must be a web address that begins with https:// or http://'],
  ['https://me:word@h.example/a.raw', 'must not hold a user name or a password'],
  ['https://h.example', 'must lead to a file, and ends with a folder'],
  ['https://h.example/d/', 'must lead to a file, and ends with a folder'],
])('%s: %s', (url, problem) => expect(imageUrlProblem(url)).toBe(problem))

test('a shown URL has no query, and a SHA-256 has 64 digits', () => {
  expect(shownUrl('https://h.example/a.raw?token=secret#x')).toBe('https://h.example/a.raw')
  expect([isSha256('A'.repeat(64)), isSha256('g'.repeat(64)), isSha256('a'.repeat(63))]).toEqual([
    true,
    false,
    false,
  ])
})
