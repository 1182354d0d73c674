import type { ApiFault, DeliveryFault, Limits } from '@hookproof/spec/control';
import type { JSX } from 'preact';

import { changeLimits, injectApiFault, injectDeliveryFault } from '../../control/faults.ts';
import type { Page } from '../../parts/page.tsx';
import { injected } from '../../rows/faults.ts';
import { Card, FaultLine } from './card.tsx';
import { API_CARDS, DELIVERY_CARDS, LIMIT_CARDS } from './catalog.ts';
import type { ApiCard, DeliveryCard, LimitCard } from './catalog.ts';

/** Faults to inject, with what they have hit. */
export const faults: Page = { name: 'faults', title: 'Faults', key: 'f', view: () => <Faults /> };

function Faults(): JSX.Element {
  const current = injected.value;
  if (current === null) return <p class="quiet">Loading …</p>;
  const { delivery, api, limits } = current;
  const others = api.filter((fault) => !API_CARDS.some((card) => isOf(card, fault)));
  return (
    <div class="cards-page">
      <h2>Webhooks that the server sends</h2>
      <ul class="cards">
        {DELIVERY_CARDS.map((card) => (
          <Delivery
            key={card.name}
            card={card}
            of={delivery.filter(({ name }) => name === card.name)}
          />
        ))}
      </ul>
      <h2>Requests that the API gets</h2>
      <ul class="cards">
        {API_CARDS.map((card) => (
          <Api key={card.name} card={card} of={api.filter((fault) => isOf(card, fault))} />
        ))}
        {LIMIT_CARDS.map((card) => (
          <Limit key={card.name} card={card} limits={limits} />
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h2>Injected by other programs</h2>
          <ul class="cards">
            {others.map((fault) => (
              <li key={fault.id} class={fault.armed ? 'card armed' : 'card'}>
                <h3>{fault.match.operationId ?? fault.match.path ?? 'requests'}</h3>
                <p>
                  <code>{JSON.stringify(fault.effect)}</code>
                </p>
                <ApiLine {...fault} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function isOf({ effect }: ApiCard, fault: ApiFault): boolean {
  const isForAll = Object.keys(fault.match).length === 0;
  return isForAll && JSON.stringify(fault.effect) === JSON.stringify(effect);
}

function Delivery({
  card: { name, text },
  of,
}: {
  readonly card: DeliveryCard;
  readonly of: readonly DeliveryFault[];
}): JSX.Element {
  return (
    <Card
      name={name}
      text={text}
      button="Inject"
      isArmed={of.some(({ armed }) => armed)}
      run={() => injectDeliveryFault(name)}
      done={`${name} is armed.`}
    >
      {of.toReversed().map(({ id, armed, hits, recentHits }) => (
        <FaultLine
          key={id}
          kind="delivery"
          id={id}
          armed={armed}
          hits={hits}
          recent={recentHits.toReversed().map(({ at, deliveryId }) => ({
            at,
            page: 'deliveries',
            id: deliveryId,
            text: deliveryId,
          }))}
        />
      ))}
    </Card>
  );
}

function Api({
  card: { name, text, effect },
  of,
}: {
  readonly card: ApiCard;
  readonly of: readonly ApiFault[];
}): JSX.Element {
  return (
    <Card
      name={name}
      text={text}
      button="Inject"
      isArmed={of.some(({ armed }) => armed)}
      run={() => injectApiFault({ match: {}, times: 1, effect })}
      done={`${name} is armed.`}
    >
      {of.toReversed().map((fault) => (
        <ApiLine key={fault.id} {...fault} />
      ))}
    </Card>
  );
}

function ApiLine({ id, armed, hits, recentHits }: ApiFault): JSX.Element {
  const recent = recentHits.toReversed().map(({ at, requestId, method, path }) => ({
    at,
    page: 'requests' as const,
    id: requestId,
    text: `${method} ${path}`,
  }));
  return <FaultLine kind="api" id={id} armed={armed} hits={hits} recent={recent} />;
}

function Limit({
  card: { name, text, on, off },
  limits,
}: {
  readonly card: LimitCard;
  readonly limits: Limits;
}): JSX.Element {
  const isOn =
    on.accounting === undefined ? limits.rateLimit !== null : limits.accounting === 'unavailable';
  const rate = limits.rateLimit;
  return (
    <Card
      name={name}
      text={text}
      button={isOn ? 'Remove' : 'Set'}
      isArmed={isOn}
      run={() => changeLimits(isOn ? off : on)}
      done={isOn ? `${name} is removed.` : `${name} is set.`}
    >
      {isOn && on.accounting === undefined && rate !== null && (
        <p class="quiet">{`${rate.requests} requests in ${rate.windowSeconds} s`}</p>
      )}
    </Card>
  );
}
