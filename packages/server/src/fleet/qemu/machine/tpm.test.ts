import { expect, test } from 'vitest'
import { tpmOf } from './tpm.ts'

test('the TPM of a machine is known by its command line, and that of another installation is not', () => {
  const words = ['swtpm', 'socket', '--tpm2', '--log', 'file=-,prefix=gantry-abc123-f81d4fae-7dec']
  expect(tpmOf('abc123', words)).toBe('f81d4fae-7dec')
  expect(tpmOf('abc124', words)).toBeUndefined()
  expect(tpmOf('abc123', ['qemu-system-x86_64', '-name', 'guest=gantry-abc123'])).toBeUndefined()
})
