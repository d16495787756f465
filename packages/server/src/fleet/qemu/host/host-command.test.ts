import { expect, test } from 'vitest'
import { hostCommand } from './host-command.ts'

test.skipIf(process.platform === 'win32')('a program ends when its signal is aborted', async () => {
  const ending = new AbortController()
  let output = ''
  const onOutput = (piece: Buffer): void => {
    output += piece.toString()
    ending.abort()
  }
  const words = ['sh', '-c', 'echo $$; exec sleep 600']
  await expect(hostCommand(words, { signal: ending.signal, onOutput })).rejects.toThrow('aborted')
  expect(() => process.kill(Number(output), 0)).toThrow('ESRCH')
  await expect(hostCommand(['true'], { signal: ending.signal })).rejects.toThrow('aborted')
})
