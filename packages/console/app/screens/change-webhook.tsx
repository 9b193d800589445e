import { useState } from 'react';

import type { Webhook } from '../api/models.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Action, Dialog } from '../parts/parts.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { Fields, type Values, isWhole } from './create-webhook.tsx';

const words = texts.webhooks;

type Step = 'edit' | 'save' | 'switch' | 'delete';

/** What can be done to a webhook besides testing it. */
export function ChangeWebhook({
  webhook,
  onDeleted,
}: {
  readonly webhook: Webhook;
  readonly onDeleted: () => void;
}) {
  const mayUpdate = useRight('webhooks:update');
  const mayDelete = useRight('webhooks:delete');
  const [step, setStep] = useState<Step>();
  const isOn = webhook.status === 'enabled';
  return (
    <>
      <Action right={mayUpdate} onClick={() => setStep('edit')}>
        {words.edit}
      </Action>
      <Action right={mayUpdate} onClick={() => setStep('switch')}>
        {isOn ? words.disable : words.enable}
      </Action>
      <Action danger right={mayDelete} onClick={() => setStep('delete')}>
        {texts.actions.delete}
      </Action>
      {step !== undefined && <StepDialog webhook={webhook} step={step} go={setStep} onDeleted={onDeleted} />}
    </>
  );
}

function StepDialog({
  webhook,
  step,
  go,
  onDeleted,
}: {
  readonly webhook: Webhook;
  readonly step: Step;
  readonly go: (step: Step | undefined) => void;
  readonly onDeleted: () => void;
}) {
  const [values, setValues] = useState<Values>(webhook);
  const { id, name, url, status } = webhook;
  const isOn = status === 'enabled';
  const onClose = () => go(undefined);
  const act = (changed: object) => ({ request: `PUT /webhooks/${id}`, body: { ...webhook, ...changed } });
  if (step === 'edit')
    return <Edit values={values} onChange={setValues} onClose={onClose} onReady={() => go('save')} />;
  if (step === 'save') {
    return (
      <Confirm title={words.saveTitle(name)} action={texts.actions.save} act={act(values)} onClose={onClose}>
        <p>{words.saveEffect(values.url, values.events.length)}</p>
      </Confirm>
    );
  }
  if (step === 'switch') {
    return (
      <Confirm
        title={isOn ? words.disableTitle(name) : words.enableTitle(name)}
        action={isOn ? words.disable : words.enable}
        act={act({ status: isOn ? 'disabled' : 'enabled' })}
        onClose={onClose}
      >
        <p>{isOn ? words.disableEffect : words.enableEffect(url)}</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={texts.confirm.deleteTitle(name)}
      action={texts.actions.delete}
      act={{ request: `DELETE /webhooks/${id}` }}
      onClose={onClose}
      onDone={onDeleted}
    >
      <p>{words.deleteEffect(url)}</p>
    </Confirm>
  );
}

function Edit({
  values,
  onChange,
  onClose,
  onReady,
}: {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly onClose: () => void;
  readonly onReady: () => void;
}) {
  return (
    <Dialog title={words.edit} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onReady();
        }}
      >
        <Fields values={values} onChange={onChange} />
        <button type="submit" className="button primary" disabled={!isWhole(values)}>
          {texts.actions.save}
        </button>
      </form>
    </Dialog>
  );
}
