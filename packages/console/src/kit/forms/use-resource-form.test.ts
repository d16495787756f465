import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { type ResourceForm, useResourceForm } from './use-resource-form.ts'

const event = { nativeEvent: {}, stopPropagation() {}, preventDefault() {}, persist() {} } as React.FormEvent

afterEach(() => vi.unstubAllGlobals())

test('an error of a field that is not mounted does not block the next submit', async () => {
  vi.stubGlobal('SubmitEvent', Event)
  const check = vi.fn(() => ({ hidden: 'is wrong' }))
  let core: ResourceForm<{ hidden: string }, unknown> | undefined
  function Form() {
    core = useResourceForm({ title: '', initial: { hidden: '' }, save: async () => undefined, check })
    return null
  }
  const client = new QueryClient()
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Form)))
  const submit = core?.onSubmit(() => undefined)
  for (const times of [1, 2]) {
    submit?.(event)
    await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(times))
  }
})
